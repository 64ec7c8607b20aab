/** What BrAPI clients say of a trial or of a plot beyond its columns: kept as they wrote it, and sent back. */
export interface ClientDetails {
  additionalInfo?: Record<string, string>;
  externalReferences?: Record<string, unknown>[];
  /** Of a trial that was not designed here. */
  experimentalDesign?: { PUI: string | null; description: string | null };
  /** What the treatment of a plot is a level of. */
  factor?: string;
}
