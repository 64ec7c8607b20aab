import type {
  GenotypeField,
  MatrixRows,
  NumericCoding,
  Ploidy,
  PloidyCount,
} from '@heterosis/contracts/data/file-formats';
import type { DateChoice, LeftOut, MeanCovarianceOfFile } from '@heterosis/contracts/data/files';
import type { TableMapping as TableMappingBody } from '@heterosis/contracts/data/table-mapping';
import type { PhenotypeOptions } from '@heterosis/file-formats/tables/phenotype/phenotype-options';
import type { TableMapping } from '@heterosis/file-formats/tables/text/table-mapping';
import { readerMapping } from '../../../platform/tables/reader-mapping.ts';

/** Objects beside the untouched original. All but the covariance are written by a check. */
export type DerivedKind =
  | 'bed'
  | 'bim'
  | 'fam'
  | 'dosage'
  | 'samples'
  | 'contigs'
  | 'snpids'
  | 'linkmaptemp'
  | 'qc'
  | 'marker_qc'
  | 'sample_qc'
  | 'table'
  | 'means'
  | 'first_rows'
  | 'covariance';

/** The user's choices of how to read a file. */
export interface CheckOptions {
  average_repeated_rows?: boolean | undefined;
  missing_codes?: string[] | undefined;
  measured_values?: string[] | undefined;
  dates?: DateChoice | null | undefined;
  keep_duplicate_positions?: boolean | undefined;
  /** As `genotype_field` DS; said so by older versions and clients. */
  prefer_dosages?: boolean | undefined;
  /** Null: the file tells it. */
  ploidy?: Ploidy | null | undefined;
  /** Null: plants of any ploidy. */
  samples_of_ploidy?: Ploidy | null | undefined;
  /** Null: calls, and dosages without them. */
  genotype_field?: GenotypeField | null | undefined;
  haploid_as_homozygous?: boolean | undefined;
  /** Null: inferred from the values. */
  numeric_coding?: NumericCoding | null | undefined;
  matrix_rows?: MatrixRows | undefined;
  left_out?: LeftOut | null | undefined;
  /** Null: the columns are found, also where the organization keeps a mapping for such files. */
  mapping?: TableMappingBody | null | undefined;
}

/** The field of a VCF that was chosen to be read; null where none was. */
export const genotypeFieldOf = ({
  genotype_field: field,
  prefer_dosages: prefers,
}: CheckOptions): GenotypeField | null => field ?? (prefers === true ? 'DS' : null);

/** The choices that concern any table, as its reader takes them. */
export function tableOptions({ mapping, left_out: leftOut }: Pick<CheckOptions, 'mapping' | 'left_out'>): {
  mapping?: TableMapping;
} {
  if (mapping == null && leftOut == null) return {};
  return { mapping: { ...readerMapping(mapping ?? {}), ...(leftOut == null ? {} : { leftOut }) } };
}

/** How a checked table is read once more from its own bytes: as its check read it. */
export const tableMappingOf = ({ options, kept_mapping: kept }: FileMeta): { mapping?: TableMapping } =>
  tableOptions({ left_out: options?.left_out, mapping: options?.mapping ?? kept?.mapping });

/** The choices that concern a phenotype file, as its reader takes them. */
export const phenotypeOptions = ({
  average_repeated_rows,
  missing_codes,
  measured_values,
  dates,
  ...table
}: CheckOptions): PhenotypeOptions => ({
  ...tableOptions(table),
  ...(average_repeated_rows === undefined ? {} : { averageRepeatedRows: average_repeated_rows }),
  ...(missing_codes === undefined ? {} : { missingCodes: missing_codes }),
  ...(measured_values === undefined ? {} : { measuredValues: measured_values }),
  ...(dates == null ? {} : { dates: readerDates(dates) }),
});

const readerDates = ({ as, sowing_date: sowing, order }: DateChoice): NonNullable<PhenotypeOptions['dates']> => ({
  as: as === 'day_of_year' ? 'day-of-year' : 'days-after-sowing',
  ...(sowing === undefined ? {} : { sowing }),
  ...(order === undefined ? {} : { order: order === 'day_first' ? 'day-first' : 'month-first' }),
});

/** How a checked phenotype file is read once more from its own bytes: as its check read it. */
export const phenotypeOptionsOf = ({ options, kept_mapping: kept }: FileMeta): PhenotypeOptions =>
  phenotypeOptions(kept === undefined ? (options ?? {}) : { ...kept, ...options, mapping: kept.mapping });

/** What was chosen for the file counts, otherwise what the organization keeps with its mapping. */
export const missingCodesOf = ({ options, kept_mapping: kept }: FileMeta): string[] =>
  options?.missing_codes ?? kept?.missing_codes ?? [];

/** `files.meta`: data that readers need but no query filters by. */
export interface FileMeta {
  /** Numeric traits of a phenotype file. */
  traits?: string[];
  /** Columns of numbers that the file gives as covariates. */
  covariates?: string[];
  /** Columns of words or of the design that group individuals. */
  groups?: string[];
  /** Columns of numbers that look like codes for groups. */
  codes?: string[];
  /** Storage keys of what the last check wrote, and of the covariance that came with the file. */
  keys?: Partial<Record<DerivedKind, string>>;
  /** Figures of a genotype that dialogs show before a run. */
  panel?: {
    markersAfterQc: number;
    missingShare: number;
    phased: boolean;
    /** Copies of each chromosome, the most where plants differ; absent for diploids. */
    ploidy?: Ploidy;
    /** Plants by ploidy; absent where they do not differ. */
    ploidies?: PloidyCount[];
    /** Calls with a fractional dosage; null for a panel of whole numbers, absent from files of older versions. */
    fractional?: { calls: number; markers: number } | null;
  };
  /** How a numeric matrix was read, and the alternatives. */
  coding?: { coding: NumericCoding | null; fits: NumericCoding[] };
  options?: CheckOptions;
  /** The mapping that the organization kept and by which the table was read. */
  kept_mapping?: { mapping: TableMappingBody; missing_codes: string[] };
  /** Size and hash that the sender declared; the check refuses other bytes. */
  declared?: DeclaredBytes;
  /** What the object of the covariance holds. */
  covariance?: StoredCovariance;
  /** Ids under which results name it that came with it in a data package. */
  former_ids?: string[];
}

/** A record of each trait (`MeanCovariance`), behind one another. */
export interface StoredCovariance extends Omit<MeanCovarianceOfFile, 'traits'> {
  traits: (MeanCovarianceOfFile['traits'][number] & { offset: number; length: number })[];
}

export interface DeclaredBytes {
  sha256?: string;
  /** SHA-256 over the SHA-256 of each part of this many bytes. */
  parts?: { bytes: number; sha256: string };
}
