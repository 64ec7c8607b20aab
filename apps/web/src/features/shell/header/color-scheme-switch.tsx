import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { PlainIconButton } from '../../../components/form/plain-icon-button.tsx';
import { IconMoon, IconSun } from '../../../components/icons.tsx';

/** Follows the system until it is used. */
export function ColorSchemeSwitch() {
  const { t } = useTranslation();
  const { setColorScheme } = useMantineColorScheme();
  const isDark = useComputedColorScheme('light') === 'dark';
  return (
    <PlainIconButton
      label={isDark ? t('header.lightScheme') : t('header.darkScheme')}
      onClick={() => setColorScheme(isDark ? 'light' : 'dark')}
    >
      {isDark ? <IconSun size={18} /> : <IconMoon size={18} />}
    </PlainIconButton>
  );
}
