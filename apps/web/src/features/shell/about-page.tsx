import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Page } from '../../components/page/page.tsx';
import { PRODUCT_VERSION } from './support.ts';

export function AboutPage() {
  const { t } = useTranslation();
  return (
    <Page
      title={t('about.title')}
      aside={<span className="hx-muted">{t('footer.version', { version: PRODUCT_VERSION })}</span>}
      width="text"
    >
      <div className="hx-prose">
        <p>{t('about.what')}</p>
        <p>{t('about.how')}</p>
        <p>{t('about.data')}</p>
        <p>{t('about.licence')}</p>
        <h2>{t('about.more')}</h2>
        <ul>
          <li>
            <Link to="/help">{t('about.guide')}</Link>
          </li>
          <li>
            <Link to="/help/$page" params={{ page: 'methods' }}>
              {t('about.methods')}
            </Link>
          </li>
          <li>
            <a href="/api/docs">{t('about.documentation')}</a>
          </li>
        </ul>
      </div>
    </Page>
  );
}
