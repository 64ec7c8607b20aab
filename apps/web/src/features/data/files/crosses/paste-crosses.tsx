import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { PasteCells } from '../../../../components/form/paste-cells.tsx';
import { fileProblemsQuery, fileQuery } from '../files.api.ts';
import { pastedCrosses } from './crosses-of.ts';
import { useSaveCrossingTable } from './save-crossing-table.ts';

/** Crosses that are pasted become a crossing table of the project, checked like one that is uploaded. */
export function PasteCrosses(props: { projectId: string; onMade: (table: { id: string; name: string }) => void }) {
  const { projectId, onMade } = props;
  const { t } = useTranslation();
  const client = useQueryClient();
  const saveTable = useSaveCrossingTable(projectId);
  const take = async (text: string): Promise<void> => {
    const crosses = pastedCrosses(text);
    if (crosses === undefined) return;
    const table = await saveTable({ proposed: t('paste.crossesName') }, crosses.csv);
    const file = await client.fetchQuery(fileQuery(projectId, table.id));
    if (file.status === 'INVALID') {
      const { data } = await client.fetchQuery(fileProblemsQuery(projectId, file));
      throw new Error(t('paste.crossesInvalid', { name: table.name, reason: data[0]?.message ?? '' }));
    }
    onMade(table);
  };
  return (
    <PasteCells
      label={t('paste.crosses')}
      description={t('paste.crossesHint')}
      submitLabel={t('paste.saveCrosses')}
      refuse={(text) => (pastedCrosses(text) ? undefined : t('paste.noCrosses'))}
      onTake={take}
    />
  );
}
