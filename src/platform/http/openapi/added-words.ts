import type { OpenAPIObject } from '@nestjs/swagger';

/** Words that extensions add to lists of the OpenAPI document. */
export class AddedWords {
  /** @param kinds of letters, which may be asked for as ours are */
  constructor(private readonly kinds: readonly string[] = []) {}

  addTo({ components }: OpenAPIObject): void {
    const { MessageKind, SendDocumentRequest } = (components?.schemas ?? {}) as Schemas;
    for (const list of [MessageKind, SendDocumentRequest?.properties?.['kind']]) {
      if (list?.enum) list.enum = [...list.enum, ...this.kinds];
    }
  }
}

type Schemas = Partial<Record<string, Listed & { properties?: Record<string, Listed> }>>;

interface Listed {
  enum?: readonly string[];
}
