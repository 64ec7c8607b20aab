/** The placeholders of a template of plot names. */
export const PLACEHOLDERS = ['place', 'plot', 'row', 'column', 'replicate', 'block', 'entry'] as const;

export type PlotNameCells = Readonly<Record<(typeof PLACEHOLDERS)[number], string | number | null>>;

/** A template such as `{place}-{plot:4}` with its cells; `:4` pads with zeros, null leaves the place empty. */
export const filledTemplate = (template: string, cells: Readonly<Record<string, string | number | null>>): string =>
  template.replaceAll(/\{(\w+)(?::(\d))?\}/g, (_, name: string, digits: string | undefined) =>
    String(cells[name] ?? '').padStart(Number(digits ?? 0), '0'),
  );

/** The name of a plot by its template. */
export const nameOfPlot = (template: string, cells: PlotNameCells): string => filledTemplate(template, cells);
