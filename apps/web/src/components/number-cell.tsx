import {
  formatBp,
  formatBytes,
  formatCount,
  formatMb,
  formatPValue,
  formatShare,
  formatStatistic,
} from '../lib/format.ts';

type Maybe = number | null | undefined;
type NumberKind = 'count' | 'statistic' | 'p-value' | 'share' | 'position';

const FORMATS: Record<NumberKind, (value: Maybe) => string> = {
  count: formatCount,
  statistic: formatStatistic,
  'p-value': formatPValue,
  share: formatShare,
  position: formatMb,
};

/** A number as its kind is written, with the full value on hover. */
export function NumberCell({ value, kind = 'statistic' }: { value: Maybe; kind?: NumberKind }) {
  const full =
    value === null || value === undefined ? undefined : kind === 'position' ? formatBp(value) : String(value);
  return (
    <span className="hx-tabular" title={full}>
      {FORMATS[kind](value)}
    </span>
  );
}

export function FileSize({ bytes }: { bytes: Maybe }) {
  return (
    <span
      className="hx-tabular"
      title={bytes === null || bytes === undefined ? undefined : `${formatCount(bytes)} bytes`}
    >
      {formatBytes(bytes)}
    </span>
  );
}
