import type { Type } from '@nestjs/common';
import { METHOD_METADATA } from '@nestjs/common/constants.js';
import type { ModulesContainer } from '@nestjs/core';
import { ConfigError } from '../platform/config/config-error.js';
import { ACCESS, type Access, type ExtensionScopes } from '../platform/http/access.js';

/**
 * A route that nobody could ever call looks as if it worked until somebody tries.
 * @throws ConfigError that names the handler
 */
export function assertRoutesReachable(modules: ModulesContainer, scopes: ExtensionScopes): void {
  for (const { controllers } of modules.values()) {
    for (const { metatype } of controllers.values()) assertReachable(metatype as Type, scopes);
  }
}

function assertReachable(controller: Type, { meanings }: ExtensionScopes): void {
  const methods = Object.getOwnPropertyDescriptors(controller.prototype as object);
  for (const [name, { value: method }] of Object.entries<PropertyDescriptor>(methods)) {
    if (typeof method !== 'function' || !Reflect.hasMetadata(METHOD_METADATA, method)) continue;
    const access = Reflect.getMetadata(ACCESS, method) as Access | undefined;
    const handler = `${controller.name}.${name}`;
    if (!access) {
      throw new ConfigError(
        `${handler} says not who may call it, so nobody may: use Get, Post, ... of quittance.`,
      );
    }
    const scope = access.by === 'bearer' ? access.scope : '';
    if (!scope.startsWith('ext:') || scope in meanings) continue;
    throw new ConfigError(`${handler} wants ${scope}, which no extension has among its scopes.`);
  }
}
