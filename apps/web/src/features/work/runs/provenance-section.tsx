import type { RunKind } from '@heterosis/contracts/work/run-kinds';
import type { Provenance } from '@heterosis/contracts/work/runs';
import { CopyButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../components/form/icon-button.tsx';
import { IconCheck, IconCopy } from '../../../components/icons.tsx';
import { Section } from '../../../components/page/section.tsx';
import { RelativeTime } from '../../../components/table/relative-time.tsx';
import { formatDuration } from '../../../lib/format/format.ts';
import classes from './provenance-section.module.css';
import { useParameterRows } from './use-parameter-name.ts';

/** Where a result comes from, and what it takes to get it again. Folded below results, which come first. */
export function ProvenanceSection(props: { kind: RunKind; provenance: Provenance; isOpen?: boolean }) {
  const { kind, provenance, isOpen = false } = props;
  const { t } = useTranslation();
  const parameters = useParameterRows(kind)(provenance.parameters);
  const rows: [string, ReactNode][] = [
    [t('runs.createdBy'), provenance.created_by ?? t('person.deleted')],
    [t('word.started'), provenance.started_at ? <RelativeTime date={provenance.started_at} /> : '–'],
    [t('runs.took'), formatDuration(provenance.seconds)],
    [t('runs.seed'), provenance.seed ?? '–'],
    [t('word.version'), provenance.software_version],
    ...Object.entries(provenance.input_sha256).map(([input, hash]): [string, ReactNode] => [
      t('runs.sha256', { input: input.replaceAll('_', ' ') }),
      <Hash key={input} hash={hash} />,
    ]),
    ...parameters,
  ];
  return (
    <Section title={t('runs.provenance')}>
      <details className={classes.folded} open={isOpen}>
        <summary>{t('runs.provenanceNote')}</summary>
        <table className={classes.table}>
          <caption className="hx-visually-hidden">{t('runs.provenance')}</caption>
          <tbody>
            {rows.map(([name, value]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{value}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </Section>
  );
}

const SHOWN_DIGITS = 12;

/** The first digits, which tell files apart, and the whole to copy. */
function Hash({ hash }: { hash: string }) {
  const { t } = useTranslation();
  return (
    <span className={classes.hash}>
      <span className="hx-mono" title={hash}>
        {hash.slice(0, SHOWN_DIGITS)}…
      </span>
      <CopyButton value={hash}>
        {({ copied, copy }) => (
          <IconButton label={copied ? t('runs.hashCopied') : t('runs.copyHash')} size="sm" onClick={copy}>
            {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
          </IconButton>
        )}
      </CopyButton>
    </span>
  );
}
