# Heterosis from R: upload files, start runs, wait for them and fetch their results. Needs R 4.0 and jsonlite.
#
#   source("heterosis.R")  # or library(heterosis)
#   server <- hx_server("https://heterosis.example.org", "hx_...")  # or HETEROSIS_SERVER and HETEROSIS_TOKEN
#   project <- hx_project(server, "Maize 2026")
#   panel <- hx_upload(project, "panel.vcf.gz", "GENOTYPE")
#   trials <- hx_upload(project, "trials.csv", "PHENOTYPE")
#   model <- hx_train(project, "Yield 2026", panel, trials, "Yield")
#   hx_wait(project, model)
#   hx_download(project, model, "yield.zip")
#
# Every failure is an R error whose message says what happened and what to do. Refusals of the server and failed runs
# are of the class heterosis_error with a stable `code`, for example request/not-found.

#' A server, and the access token by which it knows you.
hx_server <- function(server = Sys.getenv("HETEROSIS_SERVER"), token = Sys.getenv("HETEROSIS_TOKEN")) {
  if (server == "" || token == "") stop("Give a server and a token, or set HETEROSIS_SERVER and HETEROSIS_TOKEN.")
  list(url = sub("/+$", "", server), token = token)
}

#' Calls the API and returns the parsed answer: hx_call(server, "GET", "/projects").
hx_call <- function(server, method, path, body = NULL) hx_parsed(server, method, path, body, simplifyVector = FALSE)

#' All rows of a list, page by page.
hx_rows <- function(server, path, query = list()) {
  rows <- list()
  cursor <- NULL
  repeat {
    page <- hx_call(server, "GET", paste0(path, "?", hx_query(c(query, limit = "500", cursor = cursor))))
    rows <- c(rows, page$data)
    cursor <- page$next_cursor
    if (is.null(cursor)) return(rows)
  }
}

#' Saves what an address of the API answers; a broken download leaves no file. What the server sends by ranges goes on
#' where it broke off.
hx_save <- function(server, path, target, accept = "*/*") {
  part <- paste0(target, ".part")
  piece <- paste0(target, ".piece")
  on.exit(unlink(c(part, piece)))
  etag <- NULL
  tries <- 5
  repeat {
    begun <- max(0, file.size(part), na.rm = TRUE)
    going_on <- if (!is.null(etag) && begun > 0) c(range = sprintf("bytes=%.0f-", begun), `if-range` = etag)
    unlink(piece)
    headers <- c(authorization = paste("Bearer", server$token), accept = accept, going_on)
    answer <- hx_send("GET", paste0(server$url, "/api", path), headers, NULL, piece, broken = TRUE)
    if (accept != "*/*" && !identical(answer$type, accept)) hx_stop("client/no-table", paste(path, "is no table."))
    if (answer$status != 206) unlink(part)
    if (file.exists(piece)) file.append(part, piece)
    if (is.null(answer$broken)) break
    etag <- answer$etag
    tries <- if (max(0, file.size(part), na.rm = TRUE) > begun) 5 else tries - 1
    if (is.null(etag) || tries == 0) hx_stop("client/connection", answer$broken)
  }
  if (!file.exists(part)) file.create(part)
  if (!file.rename(part, target)) stop("Could not write ", target, ".", call. = FALSE)
  invisible(target)
}

#' The projects that you see, as a data frame.
hx_projects <- function(server) hx_bound(server, "/projects")

#' A project by its name or id.
hx_project <- function(server, name) {
  if (!is.list(server) || is.null(server$url)) {
    stop("hx_project needs the server first: hx_project(hx_server(), \"Maize 2026\").", call. = FALSE)
  }
  if (missing(name)) {
    stop("hx_project needs the name or id of a project: hx_project(server, \"Maize 2026\").", call. = FALSE)
  }
  row <- hx_one(hx_rows(server, "/projects"), name, "project")
  list(server = server, id = row$id, name = row$name, path = paste0("/projects/", row$id))
}

#' The files of a project, in all its folders, as a data frame.
hx_files <- function(project) hx_bound(project$server, paste0(project$path, "/files"))

#' A file of a project by its name or id.
hx_file <- function(project, name) hx_one(hx_rows(project$server, paste0(project$path, "/files")), name, "file")

#' Shows how far an upload or a run is: a line that is written over.
hx_progress <- function(name, share) {
  cat(sprintf("\r%s: %.0f%%%s", name, 100 * share, if (share >= 1) "\n" else ""), file = stderr())
}

#' Sends a file in parts and waits for its check. `type`: GENOTYPE, PHENOTYPE, CROSSING_TABLE, LINKAGE_MAP, PEDIGREE or
#' GENES. After a break, call it again: what has arrived is not sent twice.
hx_upload <- function(project, file, type, name = basename(file), progress = if (interactive()) hx_progress) {
  size <- file.size(file)
  if (is.na(size)) stop("There is no file ", file, ".", call. = FALSE)
  fingerprint <- sprintf("%s %.0f %.6f", name, size, as.numeric(file.mtime(file)))
  uploads <- hx_rows(project$server, paste0(project$path, "/uploads"))
  begun <- Filter(function(one) identical(one$fingerprint, fingerprint), uploads)
  id <- if (length(begun) > 0) begun[[1]]$id else {
    link <- list(name = name, file_type = type, size_bytes = size, fingerprint = fingerprint)
    hx_call(project$server, "POST", paste0(project$path, "/files/upload_link"), link)$file_id
  }
  hx_send_parts(project, id, file, function(share) if (!is.null(progress)) progress(name, share))
  made <- list(name = name, file_id = id, file_type = type, sha256 = hx_sha256(file))
  made <- made[!vapply(made, is.null, TRUE)]
  hx_checked(project, hx_call(project$server, "POST", paste0(project$path, "/files"), made)$id)
}

#' Waits for the check of a file and returns it; an error with the first problems when it cannot be used.
hx_checked <- function(project, id) {
  path <- paste0(project$path, "/files/", id)
  repeat {
    file <- hx_call(project$server, "GET", path)
    if (!file$status %in% c("UPLOADED", "CHECKING", "INVALID")) return(file)
    if (file$status == "INVALID") {
      problems <- hx_call(project$server, "GET", paste0(path, "/problems?limit=5"))$data
      said <- vapply(problems, function(one) {
        paste0(if (!is.null(one$line)) paste0("line ", one$line, ": "), one$code, " ", one$message)
      }, "")
      hx_stop("client/invalid-file", paste(said, collapse = "; "))
    }
    Sys.sleep(1)
  }
}

#' Starts a run of any kind, said as in its address: models, gwas. Kinds and fields are those of the API's page. Files
#' and runs may be given as they were returned.
hx_start <- function(project, kind, name, ...) {
  fields <- list(...)
  id_of <- function(one) if (is.list(one) && !is.null(one$id)) one$id else one
  for (field in names(fields)) {
    if (grepl("_id$", field)) fields[[field]] <- id_of(fields[[field]])
    # One of them is a list all the same.
    if (grepl("_ids$", field) || field == "traits") fields[[field]] <- lapply(fields[[field]], id_of)
  }
  run <- hx_call(project$server, "POST", paste0(project$path, "/", kind), c(list(name = name), fields))
  run$kind <- kind
  run
}

#' Trains and evaluates a model for each trait.
hx_train <- function(project, name, genotype, phenotype, traits, ...) {
  hx_start(project, "models", name, genotype_id = genotype, phenotype_id = phenotype, traits = traits, ...)
}

#' Predicts the individuals of a genotype with a model.
hx_predict <- function(project, name, model, genotype, ...) {
  hx_start(project, "predictions", name, model_id = model, genotype_id = genotype, ...)
}

#' Tests every marker for association with each trait.
hx_gwas <- function(project, name, genotype, phenotype, traits, ...) {
  hx_start(project, "gwas", name, genotype_id = genotype, phenotype_id = phenotype, traits = traits, ...)
}

#' Predicts and simulates the progeny of the crosses of a table.
hx_cross <- function(project, name, model, genotype, crossing_table, ...) {
  hx_start(project, "crossing_simulations", name, model_id = model, genotype_id = genotype,
           crossing_table_id = crossing_table, ...)
}

#' A run as it is now.
hx_read <- function(project, run) {
  now <- hx_call(project$server, "GET", hx_address(project, run))
  now$kind <- run$kind
  now
}

#' Waits for the end of a run, at most `timeout` seconds; an error when it, or one of its traits, has failed.
hx_wait <- function(project, run, timeout = Inf, progress = if (interactive()) hx_progress) {
  deadline <- Sys.time() + timeout
  ended <- c("SUCCESS", "EVALUATED", "ERROR")
  repeat {
    now <- hx_read(project, run)
    states <- unlist(now$status)
    if (!is.null(progress)) progress(now$name, mean(states %in% ended))
    # A trained trait of a model has the state SUCCESS until its evaluation has ended as well.
    if (all(states %in% if (run$kind == "models") ended[-1] else ended)) break
    if (Sys.time() > deadline) hx_stop("client/timeout", paste0(now$name, " has not ended in ", timeout, " seconds."))
    Sys.sleep(1)
  }
  reason <- function(error) trimws(paste(error$message, error$action))
  # `$` would take error_extras for error_extra.
  errors <- Filter(Negate(is.null), now[["error_extras"]])
  failed <- vapply(names(errors), function(trait) paste0(trait, ": ", reason(errors[[trait]])), "")
  if (!is.null(now[["error_extra"]])) failed <- c(failed, reason(now[["error_extra"]]))
  if (length(failed) > 0) hx_stop("client/run-failed", paste(failed, collapse = "; "))
  now
}

#' Saves all rows of a table of a run as Apache Parquet or, with `format = "lines"`, as lines of JSON. `table` is the
#' end of its address: results, of models gebv and effects, of trial analyses means.
hx_save_table <- function(project, run, target, table = "results", format = c("parquet", "lines"), ...) {
  accept <- c(parquet = "application/vnd.apache.parquet", lines = "application/x-ndjson")[[match.arg(format)]]
  hx_save(project$server, paste0(hx_address(project, run), "/", table, "?", hx_query(list(...))), target, accept)
}

#' All rows of a table of a run as a data frame: hx_results(project, gwas, trait = "Yield", max_p = "1e-5").
#' Fields within fields are columns such as `gebv.Yield`.
hx_results <- function(project, run, table = "results", ...) {
  frames <- list()
  hx_frames(project, run, function(frame) frames[[length(frames) + 1]] <<- frame, table = table, ...)
  if (length(frames) == 0) data.frame() else jsonlite::rbind_pages(frames)
}

#' Gives the same rows to `each` as data frames of so many rows, so that a large table need not fit into memory.
hx_frames <- function(project, run, each, rows = 50000, table = "results", ...) {
  path <- tempfile()
  on.exit(unlink(path))
  hx_save_table(project, run, path, table, "lines", ...)
  lines <- file(path, "rt", encoding = "UTF-8")
  on.exit(close(lines), add = TRUE)
  repeat {
    some <- readLines(lines, rows, encoding = "UTF-8")
    if (length(some) == 0) return(invisible(NULL))
    each(jsonlite::fromJSON(paste0("[", paste(some, collapse = ","), "]")))
  }
}

#' Makes a phenotype file of the means of a trial analysis, with their covariance, and waits for its check.
hx_means <- function(project, analysis, name) {
  path <- paste0(hx_address(project, analysis), "/phenotype")
  hx_checked(project, hx_call(project$server, "POST", path, list(name = name))$id)
}

#' Saves a zip of everything: results, parameters, SHA-256 of the inputs, seed, version.
hx_download <- function(project, run, target) {
  hx_save(project$server, paste0(hx_address(project, run), "/bundle"), target)
}

hx_address <- function(project, run) paste0(project$path, "/", run$kind, "/", run$id)

hx_query <- function(query) {
  if (length(query) == 0) return("")
  values <- vapply(query, function(one) utils::URLencode(as.character(one), reserved = TRUE), "")
  paste0(names(query), "=", values, collapse = "&")
}

# The pages of a list as data frames.
hx_pages <- function(server, path, query, each) {
  repeat {
    page <- hx_parsed(server, "GET", paste0(path, "?", hx_query(c(query, limit = "500"))), flatten = TRUE)
    if (NROW(page$data) > 0) each(page$data)
    query$cursor <- page$next_cursor
    if (is.null(query$cursor)) return(invisible(NULL))
  }
}

# All pages of a list as one data frame.
hx_bound <- function(server, path, query = list()) {
  pages <- list()
  hx_pages(server, path, query, function(page) pages[[length(pages) + 1]] <<- page)
  if (length(pages) == 0) data.frame() else jsonlite::rbind_pages(pages)
}

# `...` says how jsonlite makes R of the answer. Numbers are parsed once, because JSON of R has 15 digits.
hx_parsed <- function(server, method, path, body = NULL, ...) {
  target <- tempfile()
  on.exit(unlink(target))
  headers <- c(authorization = paste("Bearer", server$token))
  file <- NULL
  if (!is.null(body)) {
    headers <- c(headers, `content-type` = "application/json")
    file <- tempfile()
    on.exit(unlink(file), add = TRUE)
    writeLines(jsonlite::toJSON(body, auto_unbox = TRUE, null = "null", digits = NA), file, useBytes = TRUE)
  }
  hx_send(method, paste0(server$url, "/api", path), headers, file, target)
  size <- file.size(target)
  if (is.na(size) || size == 0) return(invisible(NULL))
  jsonlite::fromJSON(target, ...)
}

hx_send_parts <- function(project, id, file, sent) {
  address <- paste0(project$path, "/uploads/", id)
  state <- hx_call(project$server, "GET", address)
  arrived <- vapply(state$parts, function(part) part$number, 0)
  bytes <- file(file, "rb")
  on.exit(close(bytes))
  part <- tempfile()
  on.exit(unlink(part), add = TRUE)
  for (number in seq_len(ceiling(file.size(file) / state$part_bytes))) {
    some <- readBin(bytes, "raw", state$part_bytes)
    if (!number %in% arrived) {
      writeBin(some, part)
      link <- hx_call(project$server, "POST", paste0(address, "/parts"), list(numbers = list(number)))$data[[1]]
      hx_send("PUT", link$put_url, c(`content-type` = "application/octet-stream"), part, tempfile())
    }
    sent(min(1, number * state$part_bytes / file.size(file)))
  }
}

# Base R has it since 4.5. Without it, and without openssl, the server has nothing to compare.
hx_sha256 <- function(file) {
  if ("sha256sum" %in% getNamespaceExports("tools")) return(unname(getExportedValue("tools", "sha256sum")(file)))
  if (!requireNamespace("openssl", quietly = TRUE)) return(NULL)
  bytes <- file(file, "rb")
  on.exit(close(bytes))
  paste(openssl::sha256(bytes))
}

hx_stop <- function(code, message, status = NULL) {
  class <- c("heterosis_error", "error", "condition")
  stop(structure(class = class, list(message = message, call = NULL, code = code, status = status)))
}

hx_one <- function(rows, name, noun) {
  found <- Filter(function(row) row$id == name, rows)
  if (length(found) == 0) found <- Filter(function(row) row$name == name, rows)
  many <- if (length(found) == 0) "There is no %s \"%s\"." else "Several %ss are called \"%s\": give the id."
  if (length(found) != 1) hx_stop("client/not-found", sprintf(many, noun, name))
  found[[1]]
}

# Base R sends no request but GET, so the program curl is called. The headers go through a file that only you can read:
# the arguments of a program are seen by everybody on the machine. Waits where the server asks for it. Returns status,
# content type and ETag of the answer and, for those who take a `broken` one, why it broke off.
hx_send <- function(method, url, headers, file, target, broken = FALSE) {
  config <- tempfile()
  answered <- tempfile()
  on.exit(unlink(c(config, answered)))
  file.create(config)
  Sys.chmod(config, "600")
  quoted <- function(text) paste0("\"", gsub("([\"\\\\])", "\\\\\\1", text), "\"")
  lines <- c(
    paste("url =", quoted(url)),
    paste("request =", quoted(method)),
    paste("output =", quoted(target)),
    paste("dump-header =", quoted(answered)),
    # Silence after which a request is given up.
    "connect-timeout = 120", "speed-limit = 1", "speed-time = 120",
    paste("header =", vapply(paste0(names(headers), ": ", headers), quoted, "")),
    if (!is.null(file) && method == "PUT") paste("upload-file =", quoted(normalizePath(file))),
    if (!is.null(file) && method != "PUT") paste("data-binary =", quoted(paste0("@", file)))
  )
  writeLines(lines, config, useBytes = TRUE)
  repeat {
    said <- suppressWarnings(system2("curl", c("-q", "-sS", "-w", shQuote("%{http_code}"), "-K", shQuote(config)),
                                     stdout = TRUE, stderr = TRUE))
    status <- suppressWarnings(as.integer(said[length(said)]))
    failure <- if (is.na(status) || !is.null(attr(said, "status"))) paste(said, collapse = " ")
    header <- function(name) {
      found <- grep(paste0("^", name, ":"), readLines(answered, warn = FALSE), ignore.case = TRUE, value = TRUE)
      if (length(found) > 0) trimws(sub("^[^:]*:", "", found[[1]]))
    }
    if (!is.null(failure) && !(broken && status %in% c(200, 206))) hx_stop("client/connection", failure)
    if (!status %in% c(429, 503)) break
    wait <- header("retry-after")
    Sys.sleep(if (is.null(wait)) 5 else as.numeric(gsub("[^0-9]", "", wait)))
  }
  if (status >= 300) {
    problem <- tryCatch(jsonlite::fromJSON(target), error = function(error) list())
    code <- if (is.null(problem$code)) "client/answer" else problem$code
    detail <- c(problem$detail, problem$title, paste("the server answered with", status))[[1]]
    hx_stop(code, paste0(detail, " (", code, ")"), status)
  }
  list(status = status, type = sub(";.*", "", header("content-type")), etag = header("etag"), broken = failure)
}
