/** Slugs: what a workflow is called in references. */

import type { NewId } from '../../core/uuid.ts'

const MIN_LENGTH = 4
const MAX_LENGTH = 80

const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/

/** 4 to 80 lower-case letters, digits and single hyphens, none of them at an end. */
export function isSlug(text: string | undefined): text is string {
  return text !== undefined && text.length >= MIN_LENGTH && text.length <= MAX_LENGTH && SLUG.test(text)
}

/** A slug that is free: the wanted one or one made from the name, with a suffix when it is taken. */
export async function chooseSlug(
  wanted: string | undefined,
  name: string,
  newId: NewId,
  taken: (slug: string) => Promise<boolean>,
): Promise<string> {
  const first = wanted !== undefined && wanted !== '' ? wanted : slugOf(name, newId)
  let slug = first
  while (await taken(slug)) slug = `${first.slice(0, MAX_LENGTH - 9).replace(/-+$/, '')}-${randomPart(newId)}`
  return slug
}

function slugOf(name: string, newId: NewId): string {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_LENGTH)
    .replace(/^-+|-+$/g, '')
  return isSlug(slug) ? slug : `workflow-${randomPart(newId)}`
}

/** The last 8 digits of an id, which are random. */
function randomPart(newId: NewId): string {
  return newId().slice(-8)
}
