import { leftOutSentence } from '@heterosis/analysis/inputs/left-out-words';
import type { LeftOut } from '@heterosis/contracts/work/exclusions';
import type { ZippedFile } from '../../../../platform/http/zip-download.ts';
import type { ObjectStorage } from '../../../../platform/object-storage/object-storage.ts';

/** What a run, or the work on one of its traits, left out of the genotype. */
export interface LeftOutResult {
  report: LeftOut | null | undefined;
  /** Key of the names; one trait with it is enough. */
  key: string | undefined;
}

const CSV = 'left_out.csv';

/** For the details of a run. */
async function leftOutOfRun(
  storage: Pick<ObjectStorage, 'signGet'>,
  { name }: { name: string },
  results: readonly LeftOutResult[],
): Promise<{ left_out: LeftOut | null; left_out_csv_url: string | null }> {
  const found = results.find(({ key }) => key !== undefined);
  if (found?.key === undefined) return { left_out: null, left_out_csv_url: null };
  const options = { fileName: `${name}_${CSV}`, contentType: 'text/csv; charset=utf-8' };
  return { left_out: found.report ?? null, left_out_csv_url: await storage.signGet(found.key, options) };
}

/** For its bundle. */
function leftOutFile(results: readonly { result_keys: { left_out?: string } }[]): ZippedFile[] {
  const key = results.find(({ result_keys }) => result_keys.left_out !== undefined)?.result_keys.left_out;
  return key === undefined ? [] : [{ name: CSV, content: { key } }];
}

/** What was left out as sentences of a methods section; none where nothing was asked for. */
const leftOutInWords = (report: LeftOut | null | undefined): string[] =>
  report == null ? [] : [leftOutSentence(report)];

/** What runs left out of their genotype. */
export const leftOut = { file: leftOutFile, inWords: leftOutInWords, ofRun: leftOutOfRun };
