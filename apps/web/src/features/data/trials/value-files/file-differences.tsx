import type { ValueFileReview } from '@heterosis/contracts/data/value-files';
import { Radio, SegmentedControl } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Section } from '../../../../components/page/section.tsx';
import { type DataColumn, DataTable } from '../../../../components/table/data-table.tsx';
import { formatCount, formatDateTime } from '../../../../lib/format/format.ts';
import { NOTHING } from '../values/value-table.ts';
import { type FileDifference, keyOfDifference } from './value-files.api.ts';

/** Values of the file that differ from those of the trial: all from one side, or each by itself. */
export function FileDifferences(props: {
  differences: ValueFileReview['differences'];
  trials: ValueFileReview['trials'];
  rule: 'file' | 'trial' | undefined;
  except: ReadonlySet<string>;
  onRule: (rule: 'file' | 'trial') => void;
  onFlip: (difference: FileDifference) => void;
}) {
  const { differences, trials, rule, except, onRule, onFlip } = props;
  const { t } = useTranslation();
  const nameOf = new Map(trials.map(({ trial_id: id, name }) => [id, name]));
  const sideOf = (row: FileDifference): 'file' | 'trial' | undefined => {
    if (rule === undefined || !except.has(keyOfDifference(row))) return rule;
    return rule === 'file' ? 'trial' : 'file';
  };
  const present = (row: FileDifference): string =>
    row.present
      .map(({ value, state }) =>
        state === 'KEPT' ? (value ?? NOTHING) : `${value ?? NOTHING} (${t('trials.setAside')})`,
      )
      .join(', ');
  const columns: DataColumn<FileDifference>[] = [
    {
      ...{ id: 'cell', header: t('trials.plot') },
      value: (row) => t('trials.valueOf', { trait: row.trait, plot: row.plot }),
    },
    ...(trials.length > 1
      ? [
          {
            id: 'in',
            header: t('trials.one'),
            value: (row: FileDifference) => nameOf.get(row.trial_id) ?? '',
            width: 180,
          },
        ]
      : []),
    {
      ...{ id: 'by', header: t('trials.collector'), width: 170 },
      value: (row) => row.present.map(({ collector }) => collector ?? '').join(', '),
    },
    {
      ...{ id: 'at', header: t('trials.when'), width: 190 },
      value: (row) => row.present[0]?.observed_at,
      cell: (row) => formatDateTime(row.present[0]?.observed_at ?? ''),
    },
    {
      ...{
        id: 'side',
        header: t('trials.file.which'),
        value: () => null,
        exported: [],
        sortable: false,
        width: 250,
        narrow: true,
      },
      cell: (row) => (
        <SegmentedControl
          size="xs"
          aria-label={t('trials.file.whichOf', { cell: t('trials.valueOf', { trait: row.trait, plot: row.plot }) })}
          disabled={rule === undefined}
          value={sideOf(row) ?? ''}
          onChange={() => onFlip(row)}
          data={[
            { value: 'trial', label: t('trials.file.ofTrial', { value: present(row) }) },
            { value: 'file', label: t('trials.file.ofFile', { value: row.value ?? NOTHING }) },
          ]}
        />
      ),
    },
  ];
  return (
    <Section
      title={t('trials.file.differences', { count: differences.total, n: formatCount(differences.total) })}
      note={t('trials.file.differencesNote')}
    >
      <Radio.Group
        aria-label={t('trials.file.differencesLabel')}
        value={rule ?? ''}
        onChange={(next) => onRule(next as 'file' | 'trial')}
      >
        <div style={{ display: 'flex', flexFlow: 'row wrap', gap: '6px 16px' }}>
          <Radio value="file" label={t('trials.file.takeFile')} />
          <Radio value="trial" label={t('trials.file.takeTrial')} />
        </div>
      </Radio.Group>
      <DataTable
        id="file-differences"
        label={t('trials.file.differencesLabel')}
        columns={columns}
        rows={differences.data}
        rowId={keyOfDifference}
        hasTools={false}
      />
      {differences.total > differences.data.length && (
        <p className="hx-muted">{t('trials.file.moreDifferences', { n: formatCount(differences.data.length) })}</p>
      )}
    </Section>
  );
}
