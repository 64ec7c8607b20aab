import type { Photo } from '@heterosis/contracts/data/photos';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { pictureQuery } from './picture.api.ts';
import classes from './picture.module.css';

/** A photo, small or whole. Pictures are fetched with the token, so no address shows them to anybody else. */
export function Picture(props: { projectId: string; photo: Photo; size: 'full' | 'thumbnail'; label: string }) {
  const { projectId, photo, size, label } = props;
  const { t } = useTranslation();
  const { data, error } = useQuery(pictureQuery(projectId, photo, size));
  if (error) return <span className={classes.lost}>{t('photos.lost')}</span>;
  return <BlobPicture data={data} label={label} />;
}

/** A picture that this browser has. */
export function BlobPicture({ data, label }: { data: Blob | undefined; label: string }) {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (data === undefined) return;
    const made = URL.createObjectURL(data);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [data]);
  return address === undefined ? <span className={classes.empty} /> : <img src={address} alt={label} />;
}
