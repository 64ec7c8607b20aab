// Figures of trials in words, for the command line and the server.

const CHANGES: Record<string, string> = {
  'rows-reversed': 'the values fit the lines better with the rows in reverse order',
  'columns-reversed': 'the values fit the lines better with the columns in reverse order',
  turned: 'the values fit the lines better with the field turned by 180°',
  'rows-and-columns-exchanged': 'the values fit the lines better when one was listed by rows and the other by columns',
  'serpentine-rows': 'the values fit the lines better when every second row was walked backwards',
  'serpentine-columns': 'the values fit the lines better when every second column was walked backwards',
};

/** What looks wrong in the map of a trial, as its report has it. */
export function suspicionInWords({ kind, change, plots }: Record<string, unknown>): string {
  if (kind === 'map') return CHANGES[String(change)] ?? String(change);
  const [one, other] = plots as { line: string; file_line: number }[];
  return `the plots of "${one?.line}" (line ${one?.file_line}) and "${other?.line}" (line ${other?.file_line}) seem to be exchanged`;
}
