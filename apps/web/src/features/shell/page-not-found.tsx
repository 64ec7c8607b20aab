import { useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Page } from '../../components/page.tsx';
import { keys } from '../../lib/query-keys.ts';

export function PageNotFound() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { projectId } = useParams({ strict: false });
  // The project itself may be what was not found.
  const isInProject =
    projectId !== undefined && client.getQueryData([...keys.project(projectId), 'detail']) !== undefined;
  return (
    <Page title={t('error.notFoundTitle')} width="text">
      <p>{t('error.notFoundText')}</p>
      <p>
        {isInProject ? (
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
