import * as z from 'zod';
import { id, pathId, timestamp } from '../common.ts';

/**
 * Bytes of all files in a data package together, before they are packed: the offsets of a zip archive without Zip64
 * end at 4 GiB. What is larger moves by backup and restore.
 */
export const MAX_PACKAGE_BYTES = 4_000_000_000;
/** The number of a zip archive's files has 16 bits. */
export const MAX_PACKAGE_FILES = 60_000;

/** Licences that a package can be given under, by their SPDX identifiers. */
export const PACKAGE_LICENCES = {
  'CC0-1.0': 'https://creativecommons.org/publicdomain/zero/1.0/',
  'CC-BY-4.0': 'https://creativecommons.org/licenses/by/4.0/',
  'CC-BY-SA-4.0': 'https://creativecommons.org/licenses/by-sa/4.0/',
  'CC-BY-NC-4.0': 'https://creativecommons.org/licenses/by-nc/4.0/',
  'ODbL-1.0': 'https://opendatacommons.org/licenses/odbl/1-0/',
} as const;
export type PackageLicence = keyof typeof PACKAGE_LICENCES;
export const packageLicences = Object.keys(PACKAGE_LICENCES) as PackageLicence[];

/** `GET …/package`. */
export const packageQuery = z.object({
  licence: z
    .enum(packageLicences as [PackageLicence, ...PackageLicence[]])
    .optional()
    .describe('Under which the data are given, by its SPDX identifier; without it all rights are reserved.'),
});

/** `POST …/package_imports`. */
export const startPackageImportBody = z.object({
  upload_id: pathId.describe('`file_id` of an upload in this project whose bytes have arrived.'),
  name: z.string().trim().min(1).max(255).describe('Name of the package, for people.'),
});

/** What came with a package. */
export const packageReport = z
  .object({
    from: z.string().describe('Project and software that wrote the package.'),
    exported_at: timestamp,
    files: z.number().int(),
    trials: z.number().int(),
    observations: z.number().int(),
    lists: z.number().int(),
    runs: z.number().int(),
    decisions: z.number().int(),
    lines_added: z.number().int().describe('Lines that were not in the germplasm list of the crop.'),
    lines_found: z.number().int().describe('Lines that were there already; they stay as they are.'),
    left_out: z.number().int().describe('Rows about something that is not in the package.'),
    bytes: z.number(),
  })
  .meta({ id: 'PackageReport' });
export type PackageReport = z.infer<typeof packageReport>;

export const packageImport = z
  .object({
    id,
    name: z.string(),
    state: z.enum(['WAITING', 'RUNNING', 'DONE', 'FAILED']),
    progress: z
      .object({ done: z.number(), total: z.number() })
      .nullable()
      .describe('Bytes of the package that are checked and stored, while it is under way.'),
    report: packageReport.nullable(),
    error: z
      .object({ code: z.string(), message: z.string(), action: z.string() })
      .nullable()
      .describe('Why nothing was imported.'),
    created_at: timestamp,
    finished_at: timestamp.nullable(),
  })
  .meta({ id: 'PackageImport' });
export type PackageImport = z.infer<typeof packageImport>;
