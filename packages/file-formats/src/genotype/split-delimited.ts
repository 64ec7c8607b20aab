/**
 * Cells of one line, trimmed and unquoted (RFC 4180 quotes; a genotype cell never holds a line break). A quote that is not closed
 * runs to the end of the line.
 */
export function splitDelimited(line: string, separator: string): string[] {
  if (!line.includes('"')) return line.split(separator).map((cell) => cell.trim());
  const cells: string[] = [];
  let at = 0;
  while (at <= line.length) {
    while (line[at] === ' ') at++;
    if (line[at] !== '"') {
      let end = line.indexOf(separator, at);
      if (end < 0) end = line.length;
      cells.push(line.slice(at, end).trim());
      at = end + 1;
      continue;
    }
    let cell = '';
    let from = at + 1;
    for (;;) {
      const quote = line.indexOf('"', from);
      if (quote < 0) {
        cell += line.slice(from);
        at = line.length;
        break;
      }
      cell += line.slice(from, quote);
      at = quote + 1;
      if (line[at] !== '"') break;
      cell += '"';
      from = at + 1;
    }
    cells.push(cell.trim());
    const end = line.indexOf(separator, at);
    at = end < 0 ? line.length + 1 : end + 1;
  }
  return cells;
}
