import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import {
  loadNavigationDrawer,
  loadOrganizationButton,
  loadSearchButton,
  loadUserControls,
} from '../signed-in-parts.ts';
import { ColorSchemeSwitch } from './color-scheme-switch.tsx';
import classes from './header.module.css';
import { Logo } from './logo.tsx';

const UserControls = lazy(() => loadUserControls().then((part) => ({ default: part.UserControls })));
const OrganizationButton = lazy(() => loadOrganizationButton().then((part) => ({ default: part.OrganizationButton })));
const SearchButton = lazy(() => loadSearchButton().then((part) => ({ default: part.SearchButton })));
const NavigationDrawer = lazy(() => loadNavigationDrawer().then((part) => ({ default: part.NavigationDrawer })));

export function Header({ hasNavigation, showsUser }: { hasNavigation: boolean; showsUser: boolean }) {
  const { t } = useTranslation();
  return (
    <header className={classes.header}>
      <Suspense>{hasNavigation && <NavigationDrawer />}</Suspense>
      <Link to="/" className={classes.title}>
        <Logo />
        <span className={classes.product}>{t('product.name')}</span>
      </Link>
      <div className={classes.left}>
        <Suspense>{showsUser && <OrganizationButton />}</Suspense>
      </div>
      <Suspense>{showsUser && <SearchButton />}</Suspense>
      <Suspense>{showsUser && <UserControls />}</Suspense>
      <ColorSchemeSwitch />
    </header>
  );
}
