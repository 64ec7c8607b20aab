import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../../components/page/error-notice.tsx';
import { SkeletonLines } from '../../../../components/page/loading.tsx';
import { Notice } from '../../../../components/page/notice.tsx';
import { formatCount } from '../../../../lib/format/format.ts';
import { matchQuery } from '../../../work/matching/index.ts';
import { filesQuery } from '../files.api.ts';

/** More are counted only; the dialog of a simulation lists them all. */
const SHOWN_NAMES = 20;

/** Which parents of a crossing table a genotype of the project does not have: their crosses cannot be simulated. */
export function ParentsInGenotype({ projectId, fileId }: { projectId: string; fileId: string }) {
  const { t } = useTranslation();
  const files = useQuery(filesQuery(projectId, { types: ['GENOTYPE'] }));
  const genotypes = files.data?.filter(({ status }) => status.startsWith('READY')) ?? [];
  const [chosen, setChosen] = useState<string>();
  const genotypeId = chosen ?? genotypes[0]?.id ?? '';
  const match = useQuery({
    ...matchQuery(projectId, { genotype_id: genotypeId, crossing_table_id: fileId }),
    enabled: genotypeId !== '',
  });
  const error = files.error ?? match.error;
  if (error) return <ErrorNotice error={error} onRetry={() => void (files.error ? files : match).refetch()} />;
  if (files.data && genotypes.length === 0) return <Notice>{t('files.crosses.noGenotype')}</Notice>;
  return (
    <>
      {genotypes.length > 1 && (
        <NativeSelect
          label={t('word.genotypeOfTheParents')}
          maw="20rem"
          value={genotypeId}
          onChange={(event) => setChosen(event.currentTarget.value)}
          data={genotypes.map(({ id, name }) => ({ value: id, label: name }))}
        />
      )}
      {match.data === undefined ? (
        <SkeletonLines lines={1} />
      ) : match.data.only_right === 0 ? (
        <Notice kind="success">{t('files.crosses.allGenotyped', { genotype: match.data.left.name })}</Notice>
      ) : (
        <Notice kind="warning">
          {t('files.crosses.notGenotyped', {
            count: match.data.only_right,
            missing: formatCount(match.data.only_right),
            parents: formatCount(match.data.right.count),
            genotype: match.data.left.name,
          })}{' '}
          {match.data.only_right_names
            .slice(0, SHOWN_NAMES)
            .map((name) => {
              const similar = match.data.suggestions.find(({ right }) => right === name)?.left;
              return similar === undefined ? name : t('files.crosses.similar', { name, similar });
            })
            .join(', ')}
          {match.data.only_right > SHOWN_NAMES && ', …'}
        </Notice>
      )}
    </>
  );
}
