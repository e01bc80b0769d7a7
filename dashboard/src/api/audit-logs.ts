import type { AuditLog } from "@parley/client";
import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { t } from "../lib/texts.ts";
import { ApiError, apiPage, commonHeaders, type Page, type QueryValues } from "./client.ts";
import { auditLogKeys } from "./query-keys.ts";

export type { AuditLog } from "@parley/client";

export const useAuditLogs = (filters: QueryValues, page: number) =>
  useQuery<Page<AuditLog>, ApiError>({
    queryKey: auditLogKeys.list({ ...filters, page }),
    queryFn: ({ signal }) => apiPage("/audit-logs", { query: { ...filters, page, per_page: 50 }, signal }),
    placeholderData: keepPreviousData,
  });

/** Saves the entries that match as a file. A link could not name the workspace, which is a header. */
export const useAuditExport = () =>
  useMutation<void, ApiError, { format: "csv" | "json"; filters: QueryValues }>({
    mutationFn: async ({ format, filters }) => {
      const search = new URLSearchParams({ format });
      for (const [name, value] of Object.entries(filters)) if (value) search.set(name, String(value));
      const response = await fetch(`/dashboard-api/audit-export?${search}`, { headers: commonHeaders() });
      if (!response.ok)
        throw new ApiError({
          status: response.status,
          code: "EXPORT_FAILED",
          message: t("The export failed. Try again."),
        });
      saveAs(await response.blob(), `audit-log.${format}`);
    },
  });

function saveAs(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
