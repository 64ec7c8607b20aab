import type { File } from '@heterosis/contracts/data/files';
import type { Folder } from '@heterosis/contracts/data/folders';
import type { TFunction } from 'i18next';
import { describe, expect, it } from 'vitest';
import { searchRows, sortRows } from '../../../components/table/data-table-model.ts';
import { type StorageRow, storageColumns, storageRows } from './storage-columns.tsx';

const t = ((key: string) => key) as unknown as TFunction;
const AT = '2026-05-04T10:00:00.000Z';

const folder = (name: string): Folder => ({
  id: name,
  name,
  project_id: 'p',
  folder_id: null,
  created_by_id: null,
  created_at: AT,
  updated_at: AT,
});

const file = (name: string, more: Partial<File> = {}): File => ({
  id: name,
  name,
  project_id: 'p',
  folder_id: null,
  file_type: 'PHENOTYPE',
  status: 'READY',
  size_bytes: 10,
  row_count: 5,
  column_count: 2,
  format: null,
  ploidy: null,
  ploidies: null,
  created_by: null,
  created_by_id: null,
  created_at: AT,
  updated_at: AT,
  ...more,
});

const columns = storageColumns(t);
const column = (id: string) => columns.find((one) => one.id === id);
const names = (rows: readonly StorageRow[]) => rows.map((row) => (row.kind === 'folder' ? row.folder : row.file).name);

const folders = [folder('2025'), folder('2026')];
const files = [
  file('trials.csv', { row_count: 30, size_bytes: 500 }),
  file('panel.vcf.gz', { file_type: 'GENOTYPE', row_count: 282, size_bytes: 9_000 }),
  file('notes.txt', { file_type: null, row_count: null, column_count: null }),
];

describe('the rows of the page of files', () => {
  it('are folders first, then files', () => {
    expect(names(storageRows(folders, files, ''))).toEqual(['2025', '2026', 'trials.csv', 'panel.vcf.gz', 'notes.txt']);
  });

  it('are only the files of a type when one is chosen, among them those of no known type', () => {
    expect(names(storageRows(folders, files, 'GENOTYPE'))).toEqual(['panel.vcf.gz']);
    expect(names(storageRows(folders, files, 'other'))).toEqual(['notes.txt']);
    expect(storageRows(folders, files, 'LINKAGE_MAP')).toEqual([]);
  });
});

describe('the columns', () => {
  const rows = storageRows(folders, files, '');

  it('sort by size, and leave folders, which have none, at the end either way', () => {
    const bySize = (descending: boolean) => names(sortRows(rows, column('size'), descending));
    expect(bySize(true)).toEqual(['panel.vcf.gz', 'trials.csv', 'notes.txt', '2025', '2026']);
    expect(bySize(false).slice(0, 3)).toEqual(['notes.txt', 'trials.csv', 'panel.vcf.gz']);
  });

  it('are searched by name and by type, of folders as of files', () => {
    expect(names(searchRows(rows, columns, 'vcf'))).toEqual(['panel.vcf.gz']);
    expect(names(searchRows(rows, columns, 'kind.folder'))).toEqual(['2025', '2026']);
  });

  it('say nothing of a folder that only a file has', () => {
    for (const id of ['status', 'content', 'size']) {
      expect(column(id)?.value({ kind: 'folder', folder: folder('x') }) ?? null, id).toBeNull();
    }
  });
});
