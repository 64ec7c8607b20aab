import type { EntriesReading } from '@heterosis/contracts/data/trials';
import type { InputOf } from '@heterosis/contracts/endpoint';
import type { trialsApi } from '@heterosis/contracts/endpoints/data/trials';
import type { EntriesReading as FileReading } from '@heterosis/file-formats/tables/entries/read-entries';
import type { ProjectCall } from '../../../platform/http/bind.ts';
import { Problem } from '../../../platform/http/problem.ts';
import { aside } from '../../../platform/processes/aside.ts';

/** Problems that a message names. */
const SHOWN = 3;

/** `POST …/trials/read_entries`. */
export async function readEntries(
  _call: ProjectCall,
  { body }: InputOf<typeof trialsApi.readEntries>,
): Promise<EntriesReading> {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
  if (bytes.length === 0) throw new Problem('request/invalid', 'The file is empty. Choose another one.');
  const { entries, report } = await aside<FileReading>(new URL('./entries-file.thread.ts', import.meta.url), bytes);
  if (entries === null) throw new Problem('request/invalid', inWords(report.problems));
  return {
    entries: entries.map(({ name, replicates = null, family = null }) => ({ name, replicates, family })),
  };
}

function inWords(problems: FileReading['report']['problems']): string {
  const errors = problems.filter(({ severity }) => severity === 'error');
  const sentences = errors
    .slice(0, SHOWN)
    .map(({ line, message, suggestion }) =>
      [line === null ? message : `Line ${line}: ${message}`, suggestion].filter((part) => part !== null).join(' '),
    );
  const more = errors.length > SHOWN ? [`There are ${errors.length - SHOWN} further errors.`] : [];
  return [...sentences, ...more].join(' ');
}
