import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { configQuery } from '../../lib/api/config-query.ts';
import classes from './footer.module.css';

/** At the end of pages outside projects, and of the side navigation inside them. */
export function Footer({ version }: { version?: string }) {
  const { t } = useTranslation();
  const { data: config } = useQuery(configQuery());
  return (
    <footer className={classes.footer}>
      <Link to="/help">{t('footer.support')}</Link>
      <span aria-hidden="true">/</span>
      {config?.support && (
        <>
          <a
            href={config.support}
            {...(config.support.startsWith('mailto:') ? {} : { target: '_blank', rel: 'noreferrer' })}
          >
            {t('word.contactSupport')}
          </a>
          <span aria-hidden="true">/</span>
        </>
      )}
      <Link to="/about">{t('footer.about')}</Link>
      <span>{t('footer.copyright')}</span>
      {version && <span>{t('footer.version', { version })}</span>}
    </footer>
  );
}
