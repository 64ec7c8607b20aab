/** The placeholders of a template of plot names. */
export const PLACEHOLDERS = ['place', 'plot', 'row', 'column', 'replicate', 'block', 'entry'] as const;

export type PlotNameCells = Readonly<Record<(typeof PLACEHOLDERS)[number], string | number | null>>;

/** The name of a plot by a template such as `{place}-{plot:4}`; `:4` pads with zeros, null leaves the place empty. */
export const nameOfPlot = (template: string, cells: PlotNameCells): string =>
  template.replaceAll(/\{(\w+)(?::(\d))?\}/g, (_, name: string, digits: string | undefined) =>
    String(cells[name as keyof PlotNameCells] ?? '').padStart(Number(digits ?? 0), '0'),
  );
