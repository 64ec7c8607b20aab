/**
 * A page of help as a page for `man`: a line without indent is the title of a section, and what follows keeps its
 * lines. `name` is the title of the page, for example `heterosis-train`.
 */
export function manualPage(name: string, help: string, version: string): string {
  const lines = help
    .trimEnd()
    .split('\n')
    .map((line) => (/^[A-Z][A-Z ]*$/.test(line) ? `.fi\n.SH ${line}\n.nf` : escaped(line.replace(/^ {1,6}/, ''))));
  return `.TH "${name.toUpperCase()}" 1 "" "heterosis ${version}" "Heterosis"\n.nf\n${lines.join('\n')}\n.fi\n`;
}

/** A point or an apostrophe at the beginning of a line would be an instruction. */
const escaped = (line: string): string =>
  line
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/, '\\&');
