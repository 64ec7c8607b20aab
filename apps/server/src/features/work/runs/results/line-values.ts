/** What a run says about each line, trait by trait, for those who put it beside other runs. */
export interface LineValues {
  run: { id: string; name: string; created_at: string };
  traits: {
    trait: string;
    unit: string | null;
    /** Of the table of results in the object store. */
    key: string;
    what: string;
    /** `se`: root of the prediction error variance; null where it has none. */
    rows: { line: string; value: number | null; se: number | null; reliability: number | null }[];
  }[];
  /** Sentences about traits without values. */
  left_out: string[];
}
