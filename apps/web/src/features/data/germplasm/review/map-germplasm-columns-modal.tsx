import { useTranslation } from 'react-i18next';
import { ModalFrame } from '../../../../components/dialog/modal-frame.tsx';
import type { ModalAboutProps } from '../../../../lib/browser/modal.ts';
import type { Place } from '../../../../lib/browser/place.ts';
import { MappingForm } from '../../files/index.ts';
import { uploadFirstRowsQuery, useChangeUpload } from '../germplasm.api.ts';
import { useModalPlace } from '../use-germplasm-place.ts';

/** Asks what the columns of the uploaded file `id` hold, and has it read again. */
export function MapGermplasmColumnsModal({ close, id }: ModalAboutProps) {
  const { t } = useTranslation();
  const place = useModalPlace();
  if (place === undefined) return null;
  return (
    <ModalFrame title={t('files.mapping.title')} help="formats#columns-in-your-own-words" onClose={close} size="72rem">
      <ColumnsOfUpload place={place} uploadId={id} close={close} />
    </ModalFrame>
  );
}

function ColumnsOfUpload(props: { place: Place; uploadId: string; close: () => Promise<void> }) {
  const { place, uploadId, close } = props;
  const change = useChangeUpload(place, uploadId);
  return (
    <MappingForm
      table="GERMPLASM"
      firstRowsAt={(at) => uploadFirstRowsQuery(place, uploadId, at)}
      check={{
        ...change,
        mutate: ({ mapping, remember_mapping }, options) => change.mutate({ mapping, remember_mapping }, options),
      }}
      close={close}
    />
  );
}
