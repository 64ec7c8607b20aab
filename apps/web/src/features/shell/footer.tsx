import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import classes from './footer.module.css';
import { SUPPORT_URL } from './support.ts';

/** SPEC §2: on pages outside projects; inside, the side navigation ends with the same. */
export function Footer({ version }: { version?: string }) {
  const { t } = useTranslation();
  return (
    <footer className={classes.footer}>
      <a href={SUPPORT_URL} target="_blank" rel="noreferrer">
        {t('footer.support')}
      </a>
      <span aria-hidden="true">/</span>
      <Link to="/about">{t('footer.about')}</Link>
      <span>{t('footer.copyright')}</span>
      {version && <span>{t('footer.version', { version })}</span>}
    </footer>
  );
}
