import { page, pageQuery } from '../../common.ts';
import { del, type Endpoints, get, post, put } from '../../endpoint.ts';
import { crop, cropBody } from '../../people/crops.ts';

export const cropsApi = {
  listCrops: get(
    '/organizations/:organization_id/crops',
    { organization: 'GUEST' },
    {
      summary: 'Crops of an organization',
      query: pageQuery,
      answer: page(crop),
    },
  ),
  createCrop: post(
    '/organizations/:organization_id/crops',
    { organization: 'MANAGER' },
    {
      summary: 'Add a crop',
      body: cropBody,
      answer: crop,
      status: 201,
    },
  ),
  renameCrop: put(
    '/organizations/:organization_id/crops/:id',
    { organization: 'MANAGER' },
    {
      summary: 'Rename a crop',
      body: cropBody,
      answer: crop,
    },
  ),
  deleteCrop: del(
    '/organizations/:organization_id/crops/:id',
    { organization: 'MANAGER' },
    {
      summary: 'Delete a crop that no project uses',
    },
  ),
} as const satisfies Endpoints;
