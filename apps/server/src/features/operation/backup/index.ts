export { hashFile, openArchive } from './archive.ts';
export { makeBackup } from './make-backup.ts';
export { findSnapshot, RestoreRefusedError, readSecretOf, restoreBackup } from './restore-backup.ts';
export { listTables } from './table-snapshot.ts';
export { type StorageReport, verifyStorage } from './verify-storage.ts';
