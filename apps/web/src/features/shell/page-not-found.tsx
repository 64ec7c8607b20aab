import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Page } from '../../components/page.tsx';

export function PageNotFound() {
  const { t } = useTranslation();
  return (
    <Page title={t('error.notFoundTitle')} width="text">
      <p>{t('error.notFoundText')}</p>
      <p>
        <Link to="/" className="hx-link">
          {t('error.toStart')}
        </Link>
      </p>
    </Page>
  );
}
