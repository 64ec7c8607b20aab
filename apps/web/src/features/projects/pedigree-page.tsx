import { useTranslation } from 'react-i18next';
import { NotInThisVersion } from '../../components/not-in-this-version.tsx';
import { useProjectCrumbs } from './use-project-crumbs.ts';

export function PedigreePage({ projectId }: { projectId: string }) {
  const { t } = useTranslation();
  const crumbs = useProjectCrumbs(projectId);
  return (
    <NotInThisVersion
      title={t('nav.pedigree')}
      text={t('pedigree.notYet')}
      crumbs={[...crumbs, { label: t('nav.pedigree') }]}
    />
  );
}
