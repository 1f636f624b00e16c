import type { Abstract, FactoryProvider, InjectionToken, Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';

/** A class that has a contract, and that an installation may implement itself. */
export type Port<Contract = unknown> = Abstract<Contract> | Type<Contract>;

/** The classes of an installation in the place of ours. */
export class Ports {
  constructor(private readonly own: ReadonlyMap<Port, Type> = new Map()) {}

  of(port: Port): Type | undefined {
    return this.own.get(port);
  }
}

const declared = new Set<Port>();

/** The ports that our modules have. */
export const declaredPorts = (): readonly Port[] => [...declared];

interface Made<Contract> {
  inject?: readonly InjectionToken[];
  useFactory: (...means: never[]) => Contract;
}

/** A provider that an installation may replace by a class of its own, which has the same means. */
export function portOf<Contract>(
  provide: Port<Contract>,
  ours: Type<Contract> | Made<Contract>,
): FactoryProvider {
  declared.add(provide);
  return {
    provide,
    inject: [Ports, ModuleRef, ...('useFactory' in ours ? (ours.inject ?? []) : [])],
    useFactory: async (ports: Ports, module: ModuleRef, ...means: never[]) => {
      const own = ports.of(provide);
      if (own) return module.create(own);
      return 'useFactory' in ours ? ours.useFactory(...means) : module.create(ours);
    },
  };
}
