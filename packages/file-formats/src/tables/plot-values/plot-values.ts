/** What a column of a file of values holds. `null`: nothing that is known. */
export type ValueColumnRole =
  | 'plot'
  | 'row'
  | 'column'
  | 'trial'
  | 'location'
  | 'season'
  | 'line'
  | 'trait'
  | 'value'
  | 'time'
  | 'person'
  | 'description';

export interface ValueColumn {
  name: string;
  role: ValueColumnRole | null;
}

/** Of which plot a row is, as it is written: absent where the file has no such column or the cell is empty. */
export interface WrittenPlot {
  /** Line of the file (row of a sheet), from 1. */
  line: number;
  /** Cells that call the plot by id, name or number, the most specific first. */
  plots: string[];
  row?: string;
  column?: string;
  trial?: string;
  location?: string;
  season?: string;
  /** Name of the line that the file says stands there. */
  entry?: string;
  time?: string;
  person?: string;
}

export interface WrittenValue {
  /** Place in `rows`. */
  row: number;
  /** Place in `traits`. */
  trait: number;
  text: string;
  /** What the cell is as a number, by the marks of decimals of the file; null when it is none. */
  number: number | null;
}

/** A trait as the file calls it. */
export interface WrittenTrait {
  /** The header, or the cell of a long table. */
  header: string;
  /** Without unit and id of an ontology. */
  name: string;
  ontologyId: string | null;
  /** Values that are no missing ones, and those of them that are numbers. */
  values: number;
  numbers: number;
  samples: string[];
}

/** Values of plots as a file has them, before anything is known of the trial. */
export interface PlotValues {
  /** Long: a row a value, as the database export of Field Book. Wide: a row a plot, as its table export. */
  shape: 'long' | 'wide';
  /** A long file with the columns of Field Book. */
  isFieldBook: boolean;
  columns: ValueColumn[];
  traits: WrittenTrait[];
  rows: WrittenPlot[];
  values: WrittenValue[];
}
