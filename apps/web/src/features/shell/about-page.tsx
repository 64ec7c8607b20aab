import { useTranslation } from 'react-i18next';
import { Page } from '../../components/page.tsx';
import { PRODUCT_VERSION } from './support.ts';

export function AboutPage() {
  const { t } = useTranslation();
  return (
    <Page title={t('about.title')} width="text">
      <div className="hx-prose">
        <p>{t('about.what')}</p>
        <p>{t('about.how')}</p>
        <p>{t('about.data')}</p>
        <p>
          {t('about.licence')} <a href="/api/docs">{t('about.documentation')}</a>
        </p>
        <p className="hx-muted">{t('footer.version', { version: PRODUCT_VERSION })}</p>
      </div>
    </Page>
  );
}
