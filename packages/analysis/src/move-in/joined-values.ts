import { normalizeName } from '@heterosis/file-formats/names/normalize-name';
import type { NamedPlots } from './moved-file.ts';
import type { KnownSheet } from './sheets.ts';
import { type LeftBehind, plotsOf, type Table } from './tables.ts';

/** Values of plots beside what layouts of other files say of these plots. */
export interface JoinedValues {
  /** Null when no plot is known. */
  table: Table | null;
  /** Files whose layouts were used. */
  layouts: string[];
  left: LeftBehind[];
}

/**
 * Values of plots that a sheet calls by their names only, with the line and the place that a layout gives each. A plot
 * that no layout knows, or several do, stays behind and is counted.
 */
export function joinedValues(sheet: KnownSheet, layouts: readonly NamedPlots[], stem: string): JoinedValues {
  const values = plotsOf(sheet, stem);
  const traits = values.others;
  const first = values.header.length - traits.length;
  const byPlot = new Map<string, { layout: NamedPlots; row: string[] } | null>();
  for (const layout of layouts)
    for (const [k, row] of layout.plots.rows.entries()) {
      const name = normalizeName(layout.plots.plotNames[k] ?? '');
      if (name !== '') byPlot.set(name, byPlot.has(name) ? null : { layout, row });
    }
  const used = new Set<NamedPlots>();
  const lost: string[] = [];
  const found = values.rows.flatMap((row, k) => {
    const name = values.plotNames[k] ?? '';
    const plot = byPlot.get(normalizeName(name));
    const cells = row.slice(first);
    if (plot == null) {
      if (cells.some((cell) => cell !== '')) lost.push(name);
      return [];
    }
    used.add(plot.layout);
    return [{ plot, cells }];
  });
  const left = [...values.left];
  if (lost.length > 0) {
    const examples = lost.slice(0, 3).join(', ');
    const why = `no layout of the folder says which line grows there, or several do (${examples}${lost.length > 3 ? ' …' : ''})`;
    left.push({ what: 'values of plots', why, count: lost.length });
  }
  if (found.length === 0) return { table: null, layouts: [], left };
  // Layouts may have different columns; a trait of the layout itself came in with its own file.
  const design = [
    ...new Set([...used].flatMap(({ plots }) => plots.header.filter((name) => !plots.others.includes(name)))),
  ];
  return {
    table: {
      header: [...design, ...traits],
      rows: found.map(({ plot: { layout, row }, cells }) => [
        ...design.map((name) => row[layout.plots.header.indexOf(name)] ?? ''),
        ...cells,
      ]),
    },
    layouts: [...used].map(({ file }) => file),
    left,
  };
}
