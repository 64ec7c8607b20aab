import type { InputOf } from '@heterosis/contracts/endpoint';
import type { logosApi } from '@heterosis/contracts/endpoints/people/organizations';
import {
  LOGO_BYTES,
  LOGO_SIDE,
  type LogoType,
  type OrganizationDetail,
} from '@heterosis/contracts/people/organizations';
import { recordAuditEvent } from '../../../platform/audit/audit-events.ts';
import { publishEvent } from '../../../platform/events/events.ts';
import type { Call, Download, OrganizationCall } from '../../../platform/http/bind.ts';
import { notFound, Problem } from '../../../platform/http/problem.ts';
import { isUuid } from '../../../platform/http/uuid.ts';
import { hasWholeRows } from '../../../platform/images/png-rows.ts';
import { readImage } from '../../../platform/images/read-image.ts';
import { stripMetadata } from '../../../platform/images/strip-metadata.ts';
import { findLogo, replaceLogo } from './logos.queries.ts';
import { readOrganization } from './organizations.service.ts';
import { requireStorage } from './usage.queries.ts';

/** `PUT /organizations/{id}/logo`. */
export const changeLogo = (
  call: OrganizationCall,
  { body }: InputOf<typeof logosApi.changeLogo>,
): Promise<OrganizationDetail> => setLogo(call, checkedLogo(Buffer.isBuffer(body) ? body : Buffer.alloc(0)));

/** `DELETE /organizations/{id}/logo`. */
export const removeLogo = (call: OrganizationCall): Promise<OrganizationDetail> => setLogo(call, null);

async function setLogo(
  { services: { db, config }, access, principal, requestId }: OrganizationCall,
  logo: Parameters<typeof replaceLogo>[2],
): Promise<OrganizationDetail> {
  const { organizationId: id } = access;
  return await db.transaction().execute(async (trx) => {
    await replaceLogo(trx, id, null);
    if (logo !== null) {
      await requireStorage(trx, config.quotas, id, logo.bytes.length);
      await replaceLogo(trx, id, logo);
    }
    await recordAuditEvent(trx, {
      ...{ action: 'organization.logo-changed', actor: principal, organizationId: id, requestId },
      ...{ targetType: 'organization', targetId: id, details: { removed: logo === null } },
    });
    await publishEvent(trx, { type: 'organization', id, project_id: null, organization_id: id });
    return await readOrganization({ services: { db: trx, config }, principal, access });
  });
}

/** `GET /logos/{id}`: to whoever knows its random address. */
export async function readLogo(
  { services: { db } }: Call,
  { id }: InputOf<typeof logosApi.readLogo>,
): Promise<Download> {
  const logo = isUuid(id) ? await findLogo(db, id) : undefined;
  if (logo === undefined) throw notFound('This logo');
  return { bytes: logo.bytes, contentType: logo.content_type };
}

/**
 * The type is what the bytes say, not what the sender calls it. What a PDF could not hold is refused now: it would
 * stand in the way of every report.
 */
function checkedLogo(bytes: Buffer): { content_type: LogoType; bytes: Buffer } {
  if (bytes.length > LOGO_BYTES)
    throw new Problem(
      'organizations/unusable-logo',
      `The logo has more than ${LOGO_BYTES / 1024} KB. Make it smaller.`,
    );
  const image = readImage(bytes);
  const stripped = image && stripMetadata(bytes, image.type);
  if (image === undefined || image.type === 'image/webp' || stripped === undefined)
    throw new Problem('organizations/unusable-logo', 'This is not a whole JPEG or PNG image. Choose another file.');
  if (Math.min(image.width, image.height) < 1 || Math.max(image.width, image.height) > LOGO_SIDE)
    throw new Problem(
      'organizations/unusable-logo',
      `The logo has ${image.width} × ${image.height} pixels. At most ${LOGO_SIDE} on a side are accepted: make it smaller.`,
    );
  if (image.type === 'image/png' && !hasWholeRows(stripped))
    throw new Problem(
      'organizations/unusable-logo',
      'This PNG is broken, interlaced, or has 16 bits a channel. Save it as a plain PNG, or as a JPEG.',
    );
  return { content_type: image.type, bytes: stripped };
}
