import { useTranslation } from 'react-i18next';
import { deviceOf } from './device.ts';

/** `Firefox on Linux`, a script by its own name, or that it is not known. */
export function useDeviceName(): (userAgent: string | null) => string {
  const { t } = useTranslation();
  return (userAgent) => {
    if (userAgent === null || userAgent === '') return t('device.unknown');
    const device = deviceOf(userAgent);
    return device === undefined ? (userAgent.split(/[\s/]/)[0] ?? t('device.unknown')) : t('device.on', device);
  };
}
