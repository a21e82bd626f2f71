import type { ContentPart } from '../model/message.ts';
import { isRecord, textOf } from './reply-json.ts';

export type ImagePart =
  | { readonly kind: 'inline'; readonly mediaType: string; readonly base64: string }
  | { readonly kind: 'linked'; readonly url: string };

/** Returns the image of an `image_url` part; undefined for any other part. */
export function readImagePart(part: ContentPart): ImagePart | undefined {
  if (part.type !== 'image_url') return undefined;
  const image = 'image_url' in part ? part['image_url'] : undefined;
  const url = textOf(isRecord(image) ? image['url'] : image);
  const [, mediaType, base64] = /^data:([^;,]+);base64,(.*)$/s.exec(url) ?? [];
  if (mediaType !== undefined && base64 !== undefined) return { kind: 'inline', mediaType, base64 };
  return url === '' ? undefined : { kind: 'linked', url };
}
