# What scripts/bench-tables asks of R. Times are printed as "NAME SECONDS PROCESSOR-SECONDS".
#   bench_tables.R make FOLDER ROWS COLUMNS SITES     the sites' tables: numbers of six digits, and a label
#   bench_tables.R read FILE THREADS                  data.table::fread
#   bench_tables.R fit FILE THREADS OUT               the fit of glm; its coefficients go to OUT
suppressPackageStartupMessages(library(data.table))

write_sites <- function(folder, rows, columns, sites) {
  set.seed(1)
  deviation <- 10^runif(columns, -2, 3)
  centre <- deviation * rnorm(columns)
  effect <- rnorm(columns) * 1.5 / sqrt(columns)
  ends <- round(rows * seq_len(sites) / sites)
  for (site in seq_len(sites)) {
    count <- ends[site] - (if (site > 1) ends[site - 1] else 0)
    # A part that all columns share makes them correlated.
    z <- sqrt(0.9) * matrix(rnorm(count * columns), count) + sqrt(0.1) * rnorm(count)
    label <- as.integer(runif(count) < plogis(-0.5 + z %*% effect))
    z <- signif(t(t(z) * deviation + centre), 6)
    colnames(z) <- sprintf("x%d", seq_len(columns))
    fwrite(cbind(as.data.table(z), label = label), file.path(folder, sprintf("site-%02d.csv", site)))
  }
}

times_of <- function(work) {
  times <- system.time(work, gcFirst = FALSE)
  c(times[["elapsed"]], times[["user.self"]] + times[["sys.self"]])
}

read_table <- function(file) cat("read", times_of(fread(file)), "\n")

# The matrix is made before, so that the time is that of the iterations alone.
fit_table <- function(file, out) {
  table <- fread(file)
  label <- table$label
  table[, label := NULL]
  design <- cbind(1, as.matrix(table))
  rm(table)
  gc()
  cat("fit", times_of(fit <- glm.fit(design, label, family = binomial())), "\n")
  cat("iterations", fit$iter, "\n")
  cat("blas", extSoftVersion()[["BLAS"]], "\n")
  # Its usual accuracy is that of the deviance; two more iterations give that of the coefficients.
  more <- glm.control(epsilon = 1e-15, maxit = 2)
  fit <- suppressWarnings(glm.fit(design, label, family = binomial(), start = fit$coefficients, control = more))
  writeLines(sprintf("%.17g", fit$coefficients), out)
}

given <- commandArgs(trailingOnly = TRUE)
if (given[1] == "make") write_sites(given[2], as.integer(given[3]), as.integer(given[4]), as.integer(given[5]))
if (given[1] != "make") setDTthreads(as.integer(given[3]))
if (given[1] == "read") read_table(given[2])
if (given[1] == "fit") fit_table(given[2], given[4])
