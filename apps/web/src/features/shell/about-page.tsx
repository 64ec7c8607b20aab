import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Page } from '../../components/page/page.tsx';
import { PRODUCT_VERSION } from '../../lib/browser/product-version.ts';
import classes from './about-page.module.css';

export function AboutPage() {
  const { t } = useTranslation();
  const moreId = useId();
  return (
    <Page
      title={t('about.title')}
      aside={<span className="hx-muted">{t('footer.version', { version: PRODUCT_VERSION })}</span>}
    >
      <div className={classes.columns}>
        <div className={classes.text}>
          <p className={classes.what}>{t('about.what')}</p>
          <p>{t('about.how')}</p>
          <p>{t('about.data')}</p>
          <p className="hx-muted">{t('about.licence')}</p>
        </div>
        <nav className={classes.more} aria-labelledby={moreId}>
          <h2 id={moreId}>{t('about.more')}</h2>
          <Link className={classes.card} to="/help">
            <b>{t('about.guide')}</b>
            {t('about.guideText')}
          </Link>
          <Link className={classes.card} to="/help/$page" params={{ page: 'methods' }}>
            <b>{t('about.methods')}</b>
            {t('about.methodsText')}
          </Link>
          <a className={classes.card} href="/api/docs">
            <b>{t('about.documentation')}</b>
            {t('about.documentationText')}
          </a>
        </nav>
      </div>
    </Page>
  );
}
