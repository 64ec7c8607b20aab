import type { ReactNode } from 'react';
import {
  formatBp,
  formatBytes,
  formatCount,
  formatDecimals,
  formatMb,
  formatPValue,
  formatShare,
  formatStatistic,
} from '../../lib/format/format.ts';

type Maybe = number | null | undefined;
type NumberKind = 'count' | 'statistic' | 'p-value' | 'share' | 'position';

const FORMATS: Record<NumberKind, (value: Maybe) => string> = {
  count: formatCount,
  statistic: formatStatistic,
  'p-value': formatPValue,
  share: formatShare,
  position: formatMb,
};

/** A number as its kind is written, or with the decimals of its column (`sharedDecimals`); the full value on hover. */
export function NumberCell(props: { value: Maybe; kind?: NumberKind; decimals?: number | undefined }) {
  const { value, kind = 'statistic', decimals } = props;
  const full =
    value === null || value === undefined ? undefined : kind === 'position' ? formatBp(value) : String(value);
  return (
    <span className="hx-tabular" title={full}>
      {withExponent(decimals === undefined ? FORMATS[kind](value) : formatDecimals(value, decimals))}
    </span>
  );
}

/** The signs of an exponent are smaller than the typeface needs for reading them in a row of a table. */
function withExponent(text: string): ReactNode {
  const [, mantissa, exponent] = /^(.*10)([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)$/.exec(text) ?? [];
  if (exponent === undefined) return text;
  return (
    <>
      {mantissa}
      <span className="hx-exponent">{exponent}</span>
    </>
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
