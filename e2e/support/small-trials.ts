const ROWS = 8;
const COLUMNS = 6;
const LINES = 24;

/** Two trials of 24 lines, each twice on 8 × 6 plots with a trend along the rows; one plot was written down wrongly. */
export function smallTrials(): string {
  const wave = (seed: number) => (((Math.sin(seed * 12.9898) * 43_758.5453) % 1) + 1) % 1;
  const rows = ['line,site,rep,row,column,Yield (t/ha)'];
  for (const [site, name] of ['Bonn', 'Kiel'].entries()) {
    for (let plot = 0; plot < ROWS * COLUMNS; plot++) {
      const [row, column] = [Math.floor(plot / COLUMNS), plot % COLUMNS];
      const rep = row < ROWS / 2 ? 1 : 2;
      const line = (plot * 7 + rep * 5 + site) % LINES;
      const value = 8 + 2 * wave(line + 1) + 0.4 * Math.sin(row / 2) + 0.3 * wave(97 * plot + site) + site;
      const isWrong = site === 0 && plot === 20;
      rows.push(
        [`Line ${line + 1}`, name, rep, row + 1, column + 1, (isWrong ? value + 4 : value).toFixed(2)].join(','),
      );
    }
  }
  return `${rows.join('\n')}\n`;
}
