// Node's fetch: downloads URL to FILE, resuming as often as it is cut, then asks conditionally. Prints the statuses.
import { appendFileSync, statSync, writeFileSync } from "node:fs";

const [url, file] = process.argv.slice(2);
const statuses = [];
let tag = "";
let total = Infinity;
writeFileSync(file, "");
for (let tries = 0; statSync(file).size < total && tries < 8; tries++) {
  const have = statSync(file).size;
  const headers = have > 0 ? { Range: `bytes=${have}-`, "If-Range": tag } : {};
  const response = await fetch(url, { headers });
  statuses.push(response.status);
  tag = response.headers.get("etag");
  if (have === 0) total = Number(response.headers.get("content-length"));
  try {
    for await (const chunk of response.body) appendFileSync(file, chunk);
  } catch (error) {
    // Cut: the next round asks for the rest.
  }
}
const ask = async (headers) => {
  const response = await fetch(url, { headers });
  await response.arrayBuffer();
  return response.status;
};
statuses.push(await ask({ "If-None-Match": tag }));
statuses.push(await ask({ Range: "bytes=0-9", "If-Range": '"other"' }));
statuses.push(await ask({ Range: `bytes=${total}-` }));
console.log(statuses.join(" "));
