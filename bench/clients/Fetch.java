// Java's HttpClient: downloads URL to FILE, resuming as often as it is cut, then asks conditionally. Prints the statuses.
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

public class Fetch {
  private static final HttpClient client = HttpClient.newHttpClient();

  public static void main(String[] arguments) throws Exception {
    URI address = URI.create(arguments[0]);
    Path file = Path.of(arguments[1]);
    List<String> statuses = new ArrayList<>();
    String tag = "";
    long total = Long.MAX_VALUE;
    Files.write(file, new byte[0]);
    for (int tries = 0; Files.size(file) < total && tries < 8; tries++) {
      long have = Files.size(file);
      HttpRequest.Builder request = HttpRequest.newBuilder(address);
      if (have > 0) request.header("Range", "bytes=" + have + "-").header("If-Range", tag);
      HttpResponse<InputStream> response = client.send(request.build(), BodyHandlers.ofInputStream());
      statuses.add("" + response.statusCode());
      tag = response.headers().firstValue("etag").orElseThrow();
      if (have == 0) total = response.headers().firstValueAsLong("content-length").orElseThrow();
      try (InputStream body = response.body()) {
        byte[] buffer = new byte[65536];
        for (int count = body.read(buffer); count >= 0; count = body.read(buffer)) {
          byte[] part = java.util.Arrays.copyOf(buffer, count);
          Files.write(file, part, StandardOpenOption.APPEND);
        }
      } catch (IOException cut) {
        // The next round asks for the rest.
      }
    }
    statuses.add(ask(address, "If-None-Match", tag));
    statuses.add(ask(address, "Range", "bytes=0-9", "If-Range", "\"other\""));
    statuses.add(ask(address, "Range", "bytes=" + total + "-"));
    System.out.println(String.join(" ", statuses));
  }

  private static String ask(URI address, String... headers) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(address).headers(headers).build();
    return "" + client.send(request, BodyHandlers.discarding()).statusCode();
  }
}
