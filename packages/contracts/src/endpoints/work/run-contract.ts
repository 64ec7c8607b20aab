import type { Options } from '../../options/define-options.ts';
import type { Presets } from '../../options/presets.ts';

/** What the contracts say of a kind of run. */
export interface RunContract<Endpoints extends object = object, Own extends Options = Options> {
  readonly endpoints: Endpoints;
  /** What a run is asked for. */
  readonly options: Own;
  /** What its dialog offers in place of single options. */
  presets?: Presets;
  /** Options of its command about further files. */
  outputs?: Options;
  /** Where people meet its options, for the page of options. */
  asked: { title: string; commands: readonly string[]; dialog: string };
}
