extension QRMatrix {
  /// How hard the code is to read, by the four rules of the standard; less is better.
  var penalty: Int {
    var penalty = 0
    for index in 0..<size {
      penalty += linePenalty((0..<size).map { dark[index * size + $0] })
      penalty += linePenalty((0..<size).map { dark[$0 * size + index] })
    }
    for row in 0..<(size - 1) {
      for column in 0..<(size - 1) {
        let corner = dark[row * size + column]
        if corner == dark[row * size + column + 1], corner == dark[(row + 1) * size + column],
          corner == dark[(row + 1) * size + column + 1]
        {
          penalty += 3
        }
      }
    }
    let share = dark.count { $0 } * 20 - dark.count * 10
    return penalty + (abs(share) / dark.count) * 10
  }

  /// Runs of five or more of one colour, and patterns that look like a finder's.
  private func linePenalty(_ line: [Bool]) -> Int {
    var penalty = 0
    var run = 0
    for (index, isDark) in line.enumerated() {
      run = index > 0 && line[index - 1] == isDark ? run + 1 : 1
      if run == 5 { penalty += 3 } else if run > 5 { penalty += 1 }
    }
    let finder = [true, false, true, true, true, false, true]
    guard line.count >= finder.count else { return penalty }
    for start in 0...(line.count - finder.count) where Array(line[start..<(start + 7)]) == finder {
      // The quiet zone around the code is light.
      let isLightBefore = (1...4).allSatisfy { start - $0 < 0 || !line[start - $0] }
      let isLightAfter = (7...10).allSatisfy { start + $0 >= line.count || !line[start + $0] }
      if isLightBefore || isLightAfter { penalty += 40 }
    }
    return penalty
  }
}
