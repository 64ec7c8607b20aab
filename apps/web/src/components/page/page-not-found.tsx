import { skipToken, useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { keys } from '../../lib/api/query-keys.ts';
import { Page } from './page.tsx';

export function PageNotFound() {
  const { t } = useTranslation();
  const { projectId = '' } = useParams({ strict: false });
  // The project itself may be what was not found: then nobody has it.
  const { data: project } = useQuery({ queryKey: [...keys.project(projectId), 'detail'], queryFn: skipToken });
  return (
    <Page title={t('error.notFoundTitle')} width="text">
      <p>{t('error.notFoundText')}</p>
      <p>
        {project !== undefined ? (
          <Link to="/projects/$projectId" params={{ projectId }} className="hx-link">
            {t('error.toProject')}
          </Link>
        ) : (
          <Link to="/" className="hx-link">
            {t('error.toStart')}
          </Link>
        )}
      </p>
    </Page>
  );
}
