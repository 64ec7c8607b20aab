import { useTranslation } from 'react-i18next';
import { Page } from '../../components/page.tsx';
import { useProjectCrumbs } from '../projects/use-project-crumbs.ts';

export function PredictionDetailPage({ projectId }: { projectId: string; predictionId: string }) {
  const { t } = useTranslation();
  const crumbs = useProjectCrumbs(projectId);
  return (
    <Page title={t('nav.predictions')} crumbs={[...crumbs, { label: t('nav.predictions') }]}>
      {null}
    </Page>
  );
}
