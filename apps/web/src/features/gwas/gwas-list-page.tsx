import { useTranslation } from 'react-i18next';
import { Page } from '../../components/page.tsx';
import { useProjectCrumbs } from '../projects/use-project-crumbs.ts';

export function GwasListPage({ projectId }: { projectId: string }) {
  const { t } = useTranslation();
  const crumbs = useProjectCrumbs(projectId);
  return (
    <Page title={t('nav.gwas')} crumbs={[...crumbs, { label: t('nav.gwas') }]}>
      {null}
    </Page>
  );
}
