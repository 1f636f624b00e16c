import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { Jobs } from '../platform/jobs.js';
import type { ExtensionJob, JobMeans } from './extension.js';
import { Installation } from './installation.js';

/** The jobs of extensions in the rounds of the house: in one process, and what fails is logged. */
@Injectable()
export class ExtensionJobs implements OnModuleInit {
  constructor(
    private readonly installation: Installation,
    private readonly jobs: Jobs,
    private readonly modules: ModuleRef,
  ) {}

  onModuleInit(): void {
    for (const { name, jobs = [] } of this.installation.extensions) {
      for (const job of jobs) this.add(name, job);
    }
  }

  private add(extension: string, { name, everyMs, run }: ExtensionJob): void {
    const means: JobMeans = {
      get: (type) => this.modules.get(type, { strict: false }),
      get isStopping() {
        return added.isStopping;
      },
    };
    const failure = 'a job of an extension failed; its next round goes on';
    const round = async () => {
      try {
        await run(means);
      } catch (error) {
        added.failed(error, { extension, job: name });
      }
    };
    const added = this.jobs.every(everyMs, failure, round, { name: `${extension} ${name}` });
  }
}
