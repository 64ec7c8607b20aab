import { MAX_ENTRIES_FILE } from '@heterosis/contracts/data/trials';
import { trialsApi } from '@heterosis/contracts/endpoints/data/trials';
import type { TFunction } from 'i18next';
import { call } from '../../../../lib/api/api-client.ts';
import { hasHeader, textOfEntries } from './entries.ts';

/** Endings of files that a list of entries is chosen from. */
export const ENTRY_FILES = '.csv,.tsv,.txt,.xlsx';

/** The entries of a file as text: tables are read by the server, a plain list of names stays as it is. */
export async function entriesOfFile(t: TFunction, projectId: string, file: File): Promise<string> {
  if (file.size > MAX_ENTRIES_FILE) throw new Error(t('trials.entriesTooLarge'));
  if (!/\.xlsx$/i.test(file.name)) {
    const text = await file.text();
    if (!hasHeader(text)) return text;
  }
  const body = new Blob([file], { type: 'application/octet-stream' });
  return textOfEntries((await call(trialsApi.readEntries, { project_id: projectId, body })).entries);
}
